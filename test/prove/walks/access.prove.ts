import { describeAccess, PRINCIPALS } from '#test/suites/access.ts'

describeAccess(PRINCIPALS)
