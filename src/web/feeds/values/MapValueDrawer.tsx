import { Autocomplete, Button } from '@mantine/core'
import { type SubmitEvent, useId, useState } from 'react'
import { fieldTitle } from '#contract/feeds/values/mapped-fields.ts'
import { type UnmappedValue, unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { valueProblem } from '#contract/feeds/values/value-mappings.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { confirmMappings } from './confirm-mappings.ts'
import { standardValues } from './value-form.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './values.css'

const resolve = send(unmappedValues.resolve)

/** One unmapped value with its suggestion and sample vehicles, and the form to map it. */
export function MapValueDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad({
    ...query(unmappedValues.get, { id }),
    gcTime: 0,
    // A mapped value is no longer in the queue and would answer 404.
    refetchOnWindowFocus: false,
  })
  const { data } = load
  return (
    <FormDrawer title={data?.raw ?? 'Unmapped value'} about={data && describeValue(data)} onClose={onClose}>
      <Loaded query={load} what="this value" shape="fields">
        {(loaded) => <MapValueForm value={loaded} onClose={onClose} />}
      </Loaded>
    </FormDrawer>
  )
}

function describeValue({ field, rows, lastSeenAt }: UnmappedValue): string {
  return `${fieldTitle(field)}, ${count(rows, 'row', 'rows')} in the last feed, last seen ${formatAgo(lastSeenAt)}`
}

function MapValueForm({ value, onClose }: { value: UnmappedValue; onClose: () => void }) {
  const { id, raw, field, suggestion, certainty, reason } = value
  const [canonical, setCanonical] = useState(suggestion ?? '')
  const kept = useKeptTyping({
    endpoint: unmappedValues.resolve,
    record: value,
    values: { canonical },
    changed: canonical === (suggestion ?? '') ? [] : ['canonical'],
    putBack: (typed) => setCanonical(String(typed['canonical'])),
  })
  const [isTried, setIsTried] = useState(false)
  const form = useId()
  const resolving = useMutation({
    mutationFn: resolve,
    onSuccess: async (settled, { values: [given] }) => {
      kept.end()
      onClose()
      const becomes = given?.canonical == null ? 'is ignored.' : `becomes ${given.canonical}.`
      confirmMappings(`${raw} ${becomes}`, settled)
    },
    onError: (failure) => showError(failure),
  })
  const problem = canonical.trim() === '' ? 'Enter a value.' : valueProblem(field, canonical.trim())
  const save = (chosen: string | null) => resolving.mutate({ values: [{ id, canonical: chosen }] })
  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (problem === null) save(canonical.trim())
  }
  return (
    <form id={form} className="fc-form" noValidate onSubmit={submit}>
      <Locked isBusy={resolving.isPending}>
        <div className="fc-values-body fc-grow">
          {suggestion !== null && (
            <p>
              <bdi>
                Suggestion: {suggestion} ({certainty}% certain).
              </bdi>{' '}
              <span className="fc-soft">
                <bdi>{reason}</bdi>
              </span>
            </p>
          )}
          <KeptNotice kept={kept} />
          <Autocomplete
            label="Becomes"
            data-autofocus
            required
            maxLength={100}
            data={standardValues(field)}
            limit={100}
            value={canonical}
            onChange={setCanonical}
            error={isTried && problem}
          />
          <Samples value={value} />
        </div>
        <div className="fc-form-footer">
          <Action
            for={unmappedValues.resolve}
            variant="subtle"
            disabled={resolving.isPending}
            onClick={() => save(null)}
          >
            Ignore
          </Action>
          <span className="fc-grow" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Action for={unmappedValues.resolve} type="submit" loading={resolving.isPending}>
            Save mapping
          </Action>
        </div>
      </Locked>
    </form>
  )
}

function Samples({ value: { samples, providerMapping } }: { value: UnmappedValue }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Vehicles with this value</h3>
      {samples.length === 0 && (
        <p className="fc-small fc-faint">
          <bdi>None that you have access to.</bdi>
        </p>
      )}
      <ul className="fc-values-changes">
        {samples.map((sample) => (
          <li key={sample.id}>
            <Link to="/inventory/vehicle-data/$id" params={{ id: sample.id }} className="fc-name">
              <bdi>{sample.title}</bdi>
            </Link>
            <span className="fc-small fc-soft">
              <bdi>{sample.vin}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {providerMapping !== null && (
        <p className="fc-small fc-faint">
          Provider mapping: <bdi>{providerMapping}</bdi>
        </p>
      )}
    </section>
  )
}
