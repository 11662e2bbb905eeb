import { lots } from '#contract/customers/lots/lots.ts'
import { fresh } from '#test/factories/fresh.ts'
import { describeRecord } from '#test/suites/records.ts'

describeRecord(lots, () => ({ name: fresh('Yard'), code: fresh('Y').replaceAll(' ', '') }))
