import { Select, Stack, TextInput } from '@mantine/core'
import { fieldSentences } from '#contract/field-sentences.ts'
import { LeadSettings, leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { LotFinding } from './LotFinding.tsx'
import { showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { currentOf } from '#web/ui/record/over-newer.ts'
import { RecordEditor } from '#web/ui/record/RecordEditor.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'

const updateSettings = send(leadSettings.update)
const updateLot = send(leadSettings.updateLot)

type Values = {
  responseMinutes: number | string
  acceptMinutes: number | string
  keepMonths: number | string
  quarantineDays: number | string
  unfinishedMinutes: number | string
  replyAddress: string
}
const LABELS = {
  responseMinutes: 'Response goal, in minutes',
  acceptMinutes: 'Time to accept, in minutes',
  replyAddress: 'Reply address',
  keepMonths: 'Keep leads, in months',
  quarantineDays: 'Keep spam in quarantine, in days',
  unfinishedMinutes: 'Unfinished forms become leads, in minutes',
}
const orNull = (value: number | string): number | null => (value === '' ? null : Number(value))
const toInput = (values: Values) => ({
  responseMinutes: Number(values.responseMinutes),
  acceptMinutes: orNull(values.acceptMinutes),
  keepMonths: orNull(values.keepMonths),
  quarantineDays: Number(values.quarantineDays),
  unfinishedMinutes: orNull(values.unfinishedMinutes),
  replyAddress: values.replyAddress.trim(),
})
const FORM = {
  schema: LeadSettings,
  labels: LABELS,
  toValues: (settings: LeadSettings): Values => ({
    responseMinutes: settings.responseMinutes,
    acceptMinutes: settings.acceptMinutes ?? '',
    keepMonths: settings.keepMonths ?? '',
    quarantineDays: settings.quarantineDays,
    unfinishedMinutes: settings.unfinishedMinutes ?? '',
    replyAddress: settings.replyAddress ?? '',
  }),
  toInput,
  check: (values: Values) => {
    const { error } = leadSettings.update.input.safeParse(toInput(values))
    return error ? fieldSentences(error) : {}
  },
}
const ONE_ORGANIZATION =
  'These settings apply to all stores. Only users with access to the whole company can change them.'

/** Response goals, the return timer, where replies arrive, and retention. */
export function LeadSettingsDrawer({ onClose }: { onClose: () => void }) {
  return (
    <FormDrawer title="Lead settings" about="For all stores, and for each lot" onClose={onClose}>
      <Loaded query={query(leadSettings.get, {})} what="the lead settings" shape="fields">
        {(data) => (
          <RecordEditor
            saved={data}
            thing="these settings"
            form={FORM}
            endpoints={leadSettings}
            isLocked={(settings) => settings?.reachesAll === false}
            save={(input, change) => updateSettings({ ...input, version: change?.version })}
            onKept={(kept) => queryClient.setQueryData([...keyOf(leadSettings.get), {}], kept)}
            onSaved={() => toast('Lead settings saved', 'For all stores')}
            closes={onClose}
          >
            {({ record, saved, endpoint }) => (
              <>
                <div className="fc-form-fields">
                  <SharedFields record={record} />
                  <LotRows lots={data.lots} />
                </div>
                <FormFooter
                  record={record}
                  for={endpoint}
                  save="Save settings"
                  lock={saved?.reachesAll === false ? ONE_ORGANIZATION : null}
                  onCancel={onClose}
                />
              </>
            )}
          </RecordEditor>
        )}
      </Loaded>
    </FormDrawer>
  )
}

const TWO_YEARS = 24

function keepText(months: number | string): string {
  const what = 'After the last contact, the lead, its conversation and its person are deleted. Figures stay.'
  if (months !== '' && Number(months) < TWO_YEARS)
    return `${what} California asks sellers to keep what buyers were told about prices for two years.`
  return `${what} Blank: forever`
}

/** What applies to all stores. */
function SharedFields({ record: { field, form } }: { record: RecordFormState<Values, LeadSettings> }) {
  return (
    <>
      <NumberField
        takesText
        {...field('responseMinutes')}
        description="In the opening hours of the lot"
        min={1}
        max={1_440}
      />
      <NumberField
        takesText
        {...field('acceptMinutes')}
        description="Then the next person gets it. Blank: never"
        min={1}
        max={1_440}
      />
      <TextInput
        {...field('replyAddress')}
        className="fc-wide"
        type="email"
        description="The address at your inbound email provider, which forwards to one of your inbound addresses. Replies then come back to their lead; without it, they go to the user who sent the email."
        placeholder="leads@inbound.dealer.com"
        maxLength={200}
      />
      <NumberField
        takesText
        {...field('keepMonths')}
        className="fc-wide"
        description={keepText(form.values.keepMonths)}
        min={1}
        max={240}
      />
      <NumberField
        takesText
        {...field('quarantineDays')}
        className="fc-wide"
        description="Then leads that look like spam are deleted with what was sent, each night. Of more than 2,000, the oldest are deleted at once. Leads that only need to be checked stay."
        min={1}
        max={365}
      />
      <NumberField
        takesText
        {...field('unfinishedMinutes')}
        className="fc-wide"
        description="For forms with steps that were left after an email address or phone number was sent. The form then says that each step is sent to you and that you may contact the buyer. Check with your lawyer whether you may. A consent to be contacted that was left blank counts as a refusal. Blank: never"
        min={5}
        max={10_080}
      />
    </>
  )
}

/** The manager of each lot, who gets leads that no one accepted and is told about late ones. Saved at once. */
function LotRows({ lots }: Pick<LeadSettings, 'lots'>) {
  const save = useMutation({
    mutationFn: updateLot,
    onSuccess: () => toast('Manager saved', 'Of the lot'),
    onError: (failure, { lotId }) => {
      const newer = currentOf(failure, LeadSettings)?.lots.find((lot) => lot.lotId === lotId)
      if (newer === undefined) return showError(failure)
      void queryClient.invalidateQueries({ queryKey: keyOf(leadSettings.get) })
      return showNotice(
        "The manager wasn't changed",
        `Someone else chose ${newer.managerName ?? 'no one'} meanwhile. Choose again to replace that.`,
      )
    },
  })
  if (lots.length === 0) return null
  return (
    <fieldset className="fc-rows fc-wide fc-form-section">
      <legend className="fc-hidden">Managers</legend>
      <h3 className="fc-lead-part">Manager: gets leads that no one accepted, and is told about late ones</h3>
      {lots.map((lot) => {
        const { lotId, lotName, managerId, choices } = lot
        return (
          <Stack key={lotId} gap={4} align="flex-start">
            <Select
              label={lotName}
              w="100%"
              placeholder="No one: leads stay unassigned, and no one is told"
              data={choices.map(({ id, name }) => ({ value: id, label: name }))}
              value={managerId}
              clearable
              searchable
              disabled={save.isPending}
              onChange={(next) => save.mutate({ lotId, managerId: next, known: { managerId } })}
            />
            <LotFinding lot={lot} />
          </Stack>
        )
      })}
    </fieldset>
  )
}
