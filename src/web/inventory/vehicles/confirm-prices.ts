import { CallFailure } from '#web/api/failure.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'

/**
 * Saves, and asks the user if the server wants unusual prices confirmed. If they decline, the failure is thrown for the price
 * field, so that nothing they entered is lost.
 * @param save called again with `true` once the user has confirmed.
 * @param field the form field that shows the failure.
 */
export async function saveConfirmingPrices<Saved>(
  save: (confirmPrices: boolean) => Promise<Saved>,
  field = 'priceCents',
): Promise<Saved> {
  try {
    return await save(false)
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.fields['confirmPrices'] === undefined) throw failure
    const isSure = await ask({
      title: 'Save unusual prices?',
      text: failure.message.replace(/ Confirm to save\.$/, ''),
      confirm: 'Save prices',
      cancel: 'Go back',
      isDestructive: true,
    })
    if (isSure) return save(true)
    throw new PricesDeclined(failure, field)
  }
}

/** The user wants to correct the prices. Not an error to report: the message is for the price field. */
export class PricesDeclined extends CallFailure {
  constructor(
    { kind, status, message, fields, requestId }: CallFailure,
    field: string,
    declined: 'confirmPrices' | 'confirmEvery' = 'confirmPrices',
  ) {
    super({ kind, status, message, fields: { [field]: fields[declined] ?? message }, requestId })
  }
}
