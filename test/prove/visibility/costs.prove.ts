import { drawAll } from '#test/suites/draw.ts'
import { describeCosts } from '#test/suites/visibility/describe-costs.ts'

describeCosts(drawAll)
