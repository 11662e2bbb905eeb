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
  const answer = await saveOrDecline(save, 'Save prices')
  if ('declined' in answer) throw new PricesDeclined(answer.declined, field)
  return answer.saved
}

/** Starts a bulk change, and asks the user if the server wants its prices confirmed. Null if they decline. */
export async function startConfirmingPrices<Job>(
  start: (confirmPrices: boolean) => Promise<Job>,
): Promise<Job | null> {
  const answer = await saveOrDecline(start, 'Change prices')
  return 'declined' in answer ? null : answer.saved
}

async function saveOrDecline<Saved>(
  save: (confirmPrices: boolean) => Promise<Saved>,
  confirm: string,
): Promise<{ saved: Saved } | { declined: CallFailure }> {
  try {
    return { saved: await save(false) }
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.fields['confirmPrices'] === undefined) throw failure
    const isSure = await ask({
      title: 'Save unusual prices?',
      text: failure.message.replace(/ Confirm to save\.$/, ''),
      confirm,
      cancel: 'Go back',
      isDestructive: true,
    })
    return isSure ? { saved: await save(true) } : { declined: failure }
  }
}

/** The user wants to correct the prices. Not an error to report: the message is for the price field. */
export class PricesDeclined extends CallFailure {
  constructor(
    { kind, status, message, fields, requestId }: CallFailure,
    field: string,
    declined: 'confirmPrices' | 'confirmEvery' | 'approval' = 'confirmPrices',
  ) {
    super({ kind, status, message, fields: { [field]: fields[declined] ?? message }, requestId })
  }
}
