import { drawAll } from '#test/suites/draw.ts'
import { describeFigures } from '#test/suites/figures.ts'

// Every user of the demo data who sees figures, in each of their organizations. Two are part of `npm test`.
describeFigures(
  [
    { userName: 'super', organization: 'Northgate Ford' },
    { userName: 'northgate.admin', organization: 'Northgate Ford' },
    { userName: 'northgate.admin', organization: 'Northgate Toyota' },
    { userName: 'northgate.dealer' },
    { userName: 'northgate.sustain', organization: 'Northgate Ford' },
    { userName: 'northgate.auditor' },
    { userName: 'harbor.admin', organization: 'Harbor Honda' },
    { userName: 'harbor.dealer' },
  ],
  drawAll,
)
