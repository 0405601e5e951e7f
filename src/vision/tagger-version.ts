/**
 * The version of the networks and rules that answer, in answers and exports. Raise it with each change that can change
 * an answer: the first number for a new network, the second for new rules.
 */
export const taggerVersion = '7.1'
