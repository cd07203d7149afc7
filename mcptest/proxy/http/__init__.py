"""Record HTTP: engines that carry the traffic, and the recorder that understands a copy of it."""
