import { drawAll } from '#test/suites/draw.ts'
import { describeLists } from '#test/suites/lists.ts'

describeLists(drawAll)
