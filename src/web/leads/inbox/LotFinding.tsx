import { Checkbox } from '@mantine/core'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type LeadSettings, leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'

const updateLot = send(leadSettings.updateLot)
type Lot = LeadSettings['lots'][number]

/** Opens what leads to an address of all stores find a lot by, and whether its buyers go back to their person. */
export function LotFinding({ lot }: { lot: Lot }) {
  const edit = () =>
    void askFor<LeadSettings>(lot.lotName, (answer) => <LotForm lot={lot} onAnswer={answer} />).then(
      (saved) => {
        if (saved !== null) toast('Store saved', lot.lotName)
      },
    )
  return (
    <Action
      for={leadSettings.updateLot}
      variant="subtle"
      size="compact-xs"
      onClick={edit}
      aria-label={`Names and codes of ${lot.lotName}`}
    >
      Names and codes
    </Action>
  )
}

function LotForm({ lot, onAnswer }: { lot: Lot; onAnswer: (saved: LeadSettings | null) => void }) {
  const { lotId, vendorNames, dealerCodes, postalCodes, returnsToPerson } = lot
  const initial = { vendorNames, dealerCodes, postalCodes, returnsToPerson }
  const call = useCallForm({
    endpoint: leadSettings.updateLot,
    about: lotId,
    initial,
    check: (values) => {
      const { error } = leadSettings.updateLot.input.safeParse({ lotId, ...values })
      return error ? byField(fieldSentences(error)) : {}
    },
    send: (values) => updateLot({ lotId, ...values, known: { vendorNames, dealerCodes, postalCodes } }),
    onDone: onAnswer,
  })
  const tags = (name: 'vendorNames' | 'dealerCodes' | 'postalCodes', label: string, description: string) => (
    <TagsField
      label={label}
      description={description}
      value={[...call.values[name]]}
      onChange={(next) => call.change({ [name]: next })}
      error={call.errors[name]}
    />
  )
  return (
    <CallForm call={call} for={leadSettings.updateLot} confirm="Save store" onCancel={() => onAnswer(null)}>
      <p className="fc-small fc-soft">
        Leads to an address for all stores are put into this one if they name it. The first match decides:
        name, dealer code, dealer ID, VIN, stock number, make, ZIP code.
      </p>
      {tags('vendorNames', 'Also called', 'Besides its name, as lead providers write it')}
      {tags('dealerCodes', 'Dealer codes', 'Its IDs at manufacturers and lead providers, besides its code')}
      {tags('postalCodes', 'ZIP codes of buyers', '95841, or 958* for all that begin with 958')}
      <Checkbox
        checked={call.values.returnsToPerson}
        onChange={(event) => call.change({ returnsToPerson: event.currentTarget.checked })}
        size="sm"
        label="Buyers who come back go to the person who last answered them"
        description={<bdi>Unless that person is off or no longer works on leads here.</bdi>}
      />
    </CallForm>
  )
}

/** A message about an entry of a list is shown at the list. */
const byField = (sentences: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sentences).map(([name, sentence]) => [name.split('.')[0] ?? name, sentence]),
  )
