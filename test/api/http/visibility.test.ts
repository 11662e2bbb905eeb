import { drawFew } from '#test/suites/draw.ts'
import { describeVisibility } from '#test/suites/visibility/describe-visibility.ts'

// The complete matrix is in test/prove/visibility/visibility.prove.ts.
describeVisibility(drawFew, { isWhole: false })
