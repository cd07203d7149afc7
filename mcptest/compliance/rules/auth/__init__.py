"""Authorization over HTTP: challenges, metadata documents, registration, authorization, tokens and their use."""
