import {
  type RequestedChange,
  ruleRequests,
  type SettingChange,
} from '#contract/pricing/rules/rule-requests.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import { ask, askFor } from '#web/ui/overlay/dialogs.tsx'
import type { SentForApproval } from '../record/use-record-form.ts'
import { PricesDeclined, saveConfirmingPrices } from './confirm-prices.ts'

type Confirmed = { confirmPrices: boolean; confirmEvery: boolean }

const askApprovalOf = send(ruleRequests.ask)

/** The change was not made but sent to a second user for approval. Not an error to report. */
export class ApprovalRequested extends PricesDeclined {}

/** The user wants to correct what they entered, or it was sent for approval: nothing was saved, which was explained. */
const isExplained = (failure: unknown): boolean => failure instanceof PricesDeclined

/**
 * Saves a form with what totals depend on, and asks the user about unusual totals and about approval if the server wants them.
 * @param change what moves totals, and would wait for approval while the rest is saved.
 * @param fields the fields of the form that the change is entered in.
 * @returns null if it wasn't saved: the form keeps what was entered.
 */
export async function saveSetting<Saved>(
  change: SettingChange,
  fields: readonly string[],
  save: (confirmPrices: boolean) => Promise<Saved>,
): Promise<Saved | SentForApproval | null> {
  try {
    return await saveConfirming(change, ({ confirmPrices }) => save(confirmPrices))
  } catch (failure) {
    if (failure instanceof ApprovalRequested) return { sentForApproval: fields }
    if (isExplained(failure)) return null
    throw failure
  }
}

/** The named fields that differ from what is saved. */
export const changedOf = <Name extends string>(
  names: readonly Name[],
  input: Readonly<Record<string, unknown>>,
  saved: Readonly<Record<string, unknown>>,
): Name[] => names.filter((name) => input[name] !== undefined && !isEqual(input[name], saved[name]))

/**
 * Saves rules, and asks the user about a rule for every vehicle, about unusual prices and about approval if the server wants
 * them. If they decline, the failure is thrown for a field, so that nothing they entered is lost.
 * @param change what is sent for approval if a second user must approve it.
 * @throws ApprovalRequested after it was sent for approval.
 */
export async function saveConfirming<Saved>(
  change: RequestedChange,
  save: (confirmed: Confirmed) => Promise<Saved>,
): Promise<Saved> {
  const saveWith = (confirmEvery: boolean) =>
    saveConfirmingPrices((confirmPrices) => save({ confirmPrices, confirmEvery }), 'cents')
  try {
    return await saveWith(false)
  } catch (failure) {
    if (isAbout(failure, 'approval')) return askApproval(change, failure)
    if (!isAbout(failure, 'confirmEvery')) throw failure
    const isSure = await ask({
      title: 'Apply the rule to every vehicle?',
      text: failure.message,
      confirm: 'Apply to every vehicle',
      cancel: 'Go back',
      isDestructive: true,
    })
    if (!isSure) throw new PricesDeclined(failure, 'condition', 'confirmEvery')
  }
  try {
    return await saveWith(true)
  } catch (failure) {
    if (isAbout(failure, 'approval')) return askApproval(change, failure)
    throw failure
  }
}

function isAbout(failure: unknown, field: string): failure is CallFailure {
  return failure instanceof CallFailure && failure.fields[field] !== undefined
}

/** Asks whether to send a change for approval, with a note for the user who decides. */
async function askApproval(change: RequestedChange, failure: CallFailure): Promise<never> {
  const sent = await askFor<{ title: string }>('Ask for approval?', (answer) => (
    <ReasonForm
      text={`${failure.message} Nothing changes until another user approves it. If you have asked about the same fields before, this replaces that request.`}
      label="Note"
      description="Tells the approver why you want this change."
      max={500}
      missing={null}
      confirm="Ask for approval"
      cancel="Go back"
      endpoint={ruleRequests.ask}
      about={JSON.stringify(change)}
      send={(note) => askApprovalOf({ change, note: note === '' ? null : note })}
      onAnswer={answer}
    />
  ))
  if (sent === null) throw new PricesDeclined(failure, 'cents', 'approval')
  toast('Sent for approval', sent.title)
  throw new ApprovalRequested(failure, 'cents', 'approval')
}
