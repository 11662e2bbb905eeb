import { describeBadInput } from '#test/suites/bad-input.ts'
import { seededBy } from '../../../demo/chance.ts'
import { type Draw, drawFew } from '#test/suites/draw.ts'

// The complete matrix is in test/prove/input/bad-input.prove.ts.
const drawFewer: Draw = (word, things, count) => drawFew(word, things, Math.ceil(count * 0.05))
/** Half of the calls for what the contract itself rejects. */
describeBadInput(drawFewer, (name) => seededBy(name).happens(0.5))
