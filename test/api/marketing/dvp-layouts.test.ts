import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { fresh } from '#test/factories/fresh.ts'
import { describeRecord } from '#test/suites/records.ts'

describeRecord(dvpLayouts, () => ({
  name: fresh('Layout'),
  note: 'For offers',
  allowed: ['hero' as const, 'text' as const],
  isOrdered: true,
}))
