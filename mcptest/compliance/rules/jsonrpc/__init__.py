"""The JSON-RPC envelope: ids, answers, errors, batches."""
