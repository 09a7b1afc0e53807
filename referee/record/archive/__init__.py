"""Work on whole logs: audits, comparisons, matches and proofs."""
