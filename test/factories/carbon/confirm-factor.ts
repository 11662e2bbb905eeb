import { z } from 'zod'
import type { FactorChange, FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ChangeEffect } from '#contract/carbon/factors/change-effect.ts'
import type { Caller } from '#test/app.ts'

/** Adds a custom factor as a user does who has seen what it changes. */
export async function addFactor(caller: Caller, input: FactorInput) {
  const { affected } = await caller.call(factors.preview, input)
  return caller.call(factors.add, { ...input, affected })
}

/** Replaces a custom factor as a user does who has seen what it changes. */
export async function changeFactor(caller: Caller, change: z.input<typeof FactorChange>) {
  const { affected } = await caller.call(factors.preview, { ...change.factor, replaces: change.id })
  return caller.call(factors.update, { ...change, affected })
}

/** What a change of an inventory's settings would do, as the refusal of an unconfirmed one says. */
export async function effectOfSettings(
  caller: Caller,
  change: z.input<typeof carbonInventories.update.input>,
) {
  const { status, text } = await caller.send({
    method: 'POST',
    url: carbonInventories.update.path,
    payload: change,
  })
  if (status !== 409) throw new Error(`Nothing is asked: ${status} ${text}`)
  const { message, preview } = z
    .object({ message: z.string(), preview: ChangeEffect })
    .parse(JSON.parse(text))
  return { message, ...preview }
}

/** Changes the settings of an inventory as a user does who has seen what they change. */
export async function changeSettings(caller: Caller, change: z.input<typeof carbonInventories.update.input>) {
  const { affected } = await effectOfSettings(caller, change)
  return caller.call(carbonInventories.update, { ...change, affected })
}
