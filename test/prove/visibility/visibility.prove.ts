import { drawAll } from '#test/suites/draw.ts'
import { describeVisibility } from '#test/suites/visibility/describe-visibility.ts'

describeVisibility(drawAll, { isWhole: true })
