import { drawFew } from '#test/suites/draw.ts'
import { describeFigures } from '#test/suites/figures.ts'

// Every user of the demo data is in test/prove/walks/figures.prove.ts.
describeFigures([{ userName: 'northgate.admin', organization: 'Northgate Ford' }], drawFew)
