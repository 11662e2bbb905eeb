import { describeBadInput } from '#test/suites/bad-input.ts'
import { drawFew } from '#test/suites/draw.ts'

// The complete matrix is in test/prove/input/bad-input.prove.ts.
describeBadInput(drawFew)
