"""Opening, versions, capabilities, and what each request says of itself."""
