import { describeLinks } from '#e2e/harness/describe-links.ts'

describeLinks([
  ['northgate.auditor', null],
  ['northgate.dealer', null],
  ['northgate.sustain', 'Northgate Ford'],
])
