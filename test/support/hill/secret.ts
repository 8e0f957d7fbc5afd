// HILL_SIGNING_SECRET of all tests: the template database has the key of proofs that is derived from it.
export const secret = 'a secret of the tests, of more than thirty-two characters';
