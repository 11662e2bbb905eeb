import { inject } from 'vitest'
import { clock } from '#server/clock.ts'

// Every file, and every process it starts, begins at the same time, right after the template was created.
const { startsAt } = inject('engine')
process.env.FORECOURT_CLOCK = startsAt
clock.set(startsAt)
