import { inject } from 'vitest'
import { clock } from '#server/clock.ts'

// Each file begins at the same instant, right after its template was made. What it starts begins there, too.
const { startsAt } = inject('engine')
process.env.FORECOURT_CLOCK = startsAt
clock.set(startsAt)
