import { drawQuarter } from '#test/suites/draw.ts'
import { describeCosts } from '#test/suites/visibility/describe-costs.ts'

// The complete matrix is in test/prove/visibility/costs.prove.ts.
describeCosts(drawQuarter)
