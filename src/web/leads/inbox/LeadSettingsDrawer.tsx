import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type LeadSettings, leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

const updateSettings = send(leadSettings.update)
const updateLot = send(leadSettings.updateLot)

/** Response goals, the return timer, where replies arrive, and retention. */
export function LeadSettingsDrawer({ onClose }: { onClose: () => void }) {
  return (
    <FormDrawer title="Lead settings" about="For all stores, and for each lot" onClose={onClose}>
      <Loaded
        query={query(leadSettings.get, {})}
        what="the lead settings"
        shape="fields"
        label="Loading the settings"
      >
        {(data) => <SettingsForm key={data.version} settings={data} onClose={onClose} />}
      </Loaded>
    </FormDrawer>
  )
}

type Values = Readonly<{
  responseMinutes: number | string
  acceptMinutes: number | string
  keepMonths: number | string
  replyAddress: string
}>
const orNull = (value: number | string): number | null => (typeof value === 'number' ? value : null)
const toInput = (version: number, values: Values) => ({
  version,
  responseMinutes: Number(values.responseMinutes),
  acceptMinutes: orNull(values.acceptMinutes),
  keepMonths: orNull(values.keepMonths),
  replyAddress: values.replyAddress.trim(),
})

function SettingsForm({ settings, onClose }: { settings: LeadSettings; onClose: () => void }) {
  const { version } = settings
  const form = useForm<Values>({
    initialValues: {
      responseMinutes: settings.responseMinutes,
      acceptMinutes: settings.acceptMinutes ?? '',
      keepMonths: settings.keepMonths ?? '',
      replyAddress: settings.replyAddress ?? '',
    },
    validate: (values) => {
      const { error } = leadSettings.update.input.safeParse(toInput(version, values))
      return error ? fieldSentences(error) : {}
    },
  })
  const { release } = useUnsavedGuard(form.isDirty())
  const save = useMutation({
    mutationFn: updateSettings,
    onSuccess: () => {
      release()
      toast('Lead settings saved', 'For all stores')
      onClose()
    },
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  return (
    <form
      className="fc-form"
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!save.isPending) save.mutate(toInput(version, values))
      })}
    >
      <div className="fc-form-fields">
        <SharedFields form={form} />
        <LotRows settings={settings} />
      </div>
      <div className="fc-form-footer">
        <span className="fc-grow" />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Action
          for={leadSettings.update}
          type="submit"
          loading={save.isPending}
          lock={
            settings.reachesAll
              ? null
              : 'These settings apply to all stores. Only users with access to the whole company can change them.'
          }
        >
          Save settings
        </Action>
      </div>
    </form>
  )
}

const TWO_YEARS = 24

function keepText(months: number | string): string {
  const what = 'After the last contact, the lead, its conversation and its person are deleted. Figures stay.'
  if (typeof months === 'number' && months < TWO_YEARS)
    return `${what} California asks sellers to keep what buyers were told about prices for two years.`
  return `${what} Blank: forever`
}

/** What applies to all stores. */
function SharedFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <NumberInput
        {...form.getInputProps('responseMinutes')}
        label="Response goal, in minutes"
        description="In the opening hours of the lot"
        min={1}
        max={1_440}
        allowDecimal={false}
      />
      <NumberInput
        {...form.getInputProps('acceptMinutes')}
        label="Time to accept, in minutes"
        description="Then the next person gets it. Blank: never"
        min={1}
        max={1_440}
        allowDecimal={false}
      />
      <TextInput
        {...form.getInputProps('replyAddress')}
        className="fc-wide"
        type="email"
        label="Reply address"
        description="The address at your inbound email provider, which forwards to one of your inbound addresses. Replies then come back to their lead; without it, they go to the user who sent the email."
        placeholder="leads@inbound.dealer.com"
        maxLength={200}
      />
      <NumberInput
        {...form.getInputProps('keepMonths')}
        className="fc-wide"
        label="Keep leads, in months"
        description={keepText(form.values.keepMonths)}
        min={1}
        max={240}
        allowDecimal={false}
      />
    </>
  )
}

/** The manager of each lot, who gets leads that no one accepted. Saved at once. */
function LotRows({ settings: { lots } }: { settings: LeadSettings }) {
  const save = useMutation({
    mutationFn: updateLot,
    onSuccess: () => toast('Manager saved', 'Of the lot'),
    onError: (failure) => showError(failure),
  })
  if (lots.length === 0) return null
  return (
    <fieldset className="fc-rows fc-wide fc-form-section">
      <legend className="fc-hidden">Managers</legend>
      <h3 className="fc-lead-part">Receives leads that no one accepted</h3>
      {lots.map(({ lotId, lotName, responseMinutes, managerId, choices }) => (
        <Select
          key={lotId}
          label={lotName}
          placeholder="No one: the lead stays unassigned"
          data={choices.map(({ id, name }) => ({ value: id, label: name }))}
          value={managerId}
          clearable
          searchable
          disabled={save.isPending}
          onChange={(next) => save.mutate({ lotId, responseMinutes, managerId: next })}
        />
      ))}
    </fieldset>
  )
}
