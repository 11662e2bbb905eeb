import { describeLinks } from '#e2e/harness/describe-links.ts'

describeLinks([
  ['northgate.admin', 'Northgate Ford'],
  ['harbor.dealer', null],
  ['super', 'Forecourt Operations'],
])
