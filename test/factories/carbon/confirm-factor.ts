import type { z } from 'zod'
import type { FactorChange, FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import type { Caller } from '#test/app.ts'

/** Adds a custom factor as a user does who has seen what it changes. */
export async function addFactor(caller: Caller, input: FactorInput) {
  const { affected } = await caller.call(factors.preview, input)
  return caller.call(factors.add, { ...input, affected })
}

/** Replaces a custom factor as a user does who has seen what it changes. */
export async function changeFactor(caller: Caller, change: z.input<typeof FactorChange>) {
  const { affected } = await caller.call(factors.usage, { id: change.id })
  return caller.call(factors.update, { ...change, affected })
}
