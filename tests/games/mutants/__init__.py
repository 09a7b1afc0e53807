"""The rules of Attack of the Mutants under test."""
