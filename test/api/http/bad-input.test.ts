import { describeBadInput } from '#test/suites/bad-input.ts'
import { drawFew } from '#test/suites/draw.ts'

// The complete matrix is test/prove/input/bad-input.prove.ts.
describeBadInput(drawFew)
