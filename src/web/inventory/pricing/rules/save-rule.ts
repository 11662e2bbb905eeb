import { CallFailure } from '#web/api/failure.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { PricesDeclined, saveConfirmingPrices } from '../../vehicles/confirm-prices.ts'

type Confirmed = { confirmPrices: boolean; confirmEvery: boolean }

/**
 * Saves a rule, and asks the user about a rule for every vehicle and about unusual prices if the server wants them confirmed.
 * If they decline, the failure is thrown for a field, so that nothing they entered is lost.
 */
export async function saveConfirming<Saved>(save: (confirmed: Confirmed) => Promise<Saved>): Promise<Saved> {
  const saveWith = (confirmEvery: boolean) =>
    saveConfirmingPrices((confirmPrices) => save({ confirmPrices, confirmEvery }), 'cents')
  try {
    return await saveWith(false)
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.fields['confirmEvery'] === undefined) throw failure
    const isSure = await ask({
      title: 'Apply the rule to every vehicle?',
      text: failure.message,
      confirm: 'Apply to every vehicle',
      cancel: 'Go back',
      isDestructive: true,
    })
    if (isSure) return saveWith(true)
    throw new PricesDeclined(failure, 'condition', 'confirmEvery')
  }
}
