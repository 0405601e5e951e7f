import { testEdits } from './edit-garments.ts'

// Without scripts.
testEdits(false)
