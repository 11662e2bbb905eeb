import { describeBadInput } from '#test/suites/bad-input.ts'
import { drawAll } from '#test/suites/draw.ts'

describeBadInput(drawAll)
