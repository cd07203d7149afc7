"""Tasks: requests that go on after their answer. Experimental in 2025-11-25, an extension since."""
