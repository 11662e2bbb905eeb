import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { mappingProblems } from '#contract/feeds/mappings/map-row.ts'
import { type FeedMapping, targetsWith, targetTitle } from '#contract/feeds/mappings/mapping.ts'
import { PRESETS, proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { ProviderMapping, providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useCustomFields } from '#web/vehicles/index.ts'
import { FieldRow } from './FieldRow.tsx'
import {
  BLANK,
  checkMapping,
  columnChoices,
  kindOf,
  resultOf,
  FIELD_NAMES,
  type MappingValues,
  resultsOf,
  toValues,
} from './mapping-form.ts'
import { MappingPart } from './MappingPart.tsx'
import { MappingResults } from './MappingResults.tsx'
import { SkipRuleFields } from './SkipRuleFields.tsx'
import { MappingSample } from './MappingSample.tsx'
import type { Sample } from './try-sample.ts'

const addMapping = send(providerMappings.add)
const updateMapping = send(providerMappings.update)

type Props = {
  /** Null for a new mapping. */
  mapping: ProviderMapping | null
  /** The feed the user came from. */
  run: string | undefined
  /** The sample file of that feed. */
  initial: File | null
  sample: Sample | null
  onSample: (sample: Sample) => void
  onCreated: (id: string) => void
  onKept?: (mapping: ProviderMapping) => void
  /** It was deleted, and the form is that of a new one now. */
  onAgain?: () => void
}

function useMappingRecord({ mapping, run, onCreated, onKept, onAgain }: Props) {
  const [isAgain, setAgain] = useState(false)
  const opened = isAgain ? null : mapping
  const navigate = useNavigate()
  const endpoint = opened ? providerMappings.update : providerMappings.add
  const record = useRecordForm<MappingValues, ProviderMapping>({
    record: opened,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: ProviderMapping,
    endpoint,
    check: checkMapping,
    save: (values, version) =>
      opened ? updateMapping({ ...values, id: opened.id, version }) : addMapping(values),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(providerMappings.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: async ({ id, name, version }) => {
      toast(opened ? 'Provider mapping saved' : 'Provider mapping added', `${name}, version ${version}`)
      if (!opened) {
        onCreated(id)
        await navigate({
          to: '/administration/provider-mappings/$id',
          params: { id },
          search: run === undefined ? {} : { run },
          ignoreBlocker: true,
        })
      }
    },
  })
  const start = () => {
    setAgain(true)
    onAgain?.()
  }
  return { record, opened, again: { endpoint: providerMappings.add, start } }
}

/** The sample, the fields with their sources, and a live preview of five vehicles. */
export function MappingForm(props: Props) {
  const { initial, sample: current, onSample } = props
  const sample = current?.tried ?? null
  const { fields: own } = useCustomFields()
  const { record, opened, again } = useMappingRecord(props)
  const { mapping, provider } = record.form.values
  const results = useMemo(() => (sample === null ? [] : resultsOf(mapping, sample)), [mapping, sample])
  const names = sample?.columns.map(({ name }) => name) ?? null
  const problems = names === null ? {} : mappingProblems(mapping, names, own)
  const columns = columnChoices(mapping, sample)

  function applySample(next: Sample, isProposal: boolean) {
    const { tried } = next
    onSample(next)
    if (!isProposal || record.isReadOnly) return
    const { name } = record.form.values
    record.change({
      mapping: tried.mapping,
      provider: tried.preset?.key ?? null,
      name: name === '' ? (tried.preset?.title ?? '') : name,
    })
  }
  function startFrom(key: string | null) {
    const preset = PRESETS.find((one) => one.key === key)
    if (preset === undefined) return record.change({ provider: null })
    const proposed = mappingFrom(preset, sample, own)
    record.change({ provider: preset.key, mapping: { ...proposed, shape: mapping.shape } })
  }
  /** The validation error for this part of the mapping. */
  function errorAt(path: string): string | undefined {
    const found = Object.entries(record.form.errors).find(([at]) => at.startsWith(`mapping.${path}`))
    return typeof found?.[1] === 'string' ? found[1] : undefined
  }

  return (
    <RecordForm record={record} className="fc-mapping">
      <section className="fc-mapping-side" aria-label="Sample">
        <div className="fc-mapping-head">
          <TextInput {...record.field('name')} required maxLength={100} autoComplete="off" />
          <Select
            label="Template"
            placeholder="None, match sample columns"
            clearable
            readOnly={record.isReadOnly}
            value={provider}
            onChange={startFrom}
            data={PRESETS.map(({ key, title }) => ({ value: key, label: title }))}
          />
        </div>
        <MappingSample
          sample={current}
          initial={initial}
          mapping={mapping}
          isNew={opened === null && Object.keys(mapping.fields).length === 0}
          isReadOnly={record.isReadOnly}
          onTried={applySample}
          onChange={(changed) => record.change({ mapping: changed })}
        >
          <MappingPart
            title={`Skipped rows: ${mapping.skipRule?.rule || 'none'}`}
            isWrong={errorAt('skipRule') !== undefined}
          >
            <SkipRuleFields
              skipRule={mapping.skipRule}
              problems={{
                // An empty rule is only an error when saving.
                rule: errorAt('skipRule.rule') ?? (mapping.skipRule?.rule ? problems.skipRule : undefined),
                reason: errorAt('skipRule.reason'),
              }}
              isReadOnly={record.isReadOnly}
              onChange={(skipRule) => record.change({ mapping: { ...mapping, skipRule } })}
            />
          </MappingPart>
        </MappingSample>
      </section>
      <FieldList {...{ record, sample, columns, problems, own, errorAt }} result={results[0]} />
      {sample !== null && <MappingResults results={results} sample={sample} />}
      {(record.changed.length > 0 || record.conflict) && (
        <SaveBar
          title={opened ? 'Unsaved changes' : 'Not saved yet'}
          line={`${count(Object.keys(mapping.fields).length, 'field', 'fields')} mapped.`}
          for={opened ? providerMappings.update : providerMappings.add}
          isSaving={record.isSaving}
          onSave={record.submit}
          onDiscard={record.discard}
          conflict={record.conflict}
          onShowWrong={record.showWrong}
        />
      )}
      <StaleDialog record={record} thing="this provider mapping" again={again} />
    </RecordForm>
  )
}

/** The mapping of a template, for the columns of the sample if there is one. */
function mappingFrom(
  preset: (typeof PRESETS)[number],
  sample: Sample['tried'] | null,
  own: FieldListProps['own'],
): FeedMapping {
  const columns = sample?.columns.map(({ name }) => name) ?? preset.columns
  const rows = sample?.rows ?? []
  const today = sample?.today ?? '2026-01-01'
  return proposeMapping({ format: preset.format, columns, rows, own }, today, preset.key).mapping
}

type FieldListProps = {
  record: ReturnType<typeof useMappingRecord>['record']
  sample: Sample['tried'] | null
  columns: ReturnType<typeof columnChoices>
  problems: ReturnType<typeof mappingProblems>
  own: ReturnType<typeof useCustomFields>['fields']
  /** The first vehicle of the preview. */
  result: ReturnType<typeof resultsOf>[number] | undefined
  /** The validation error for a part of the mapping. */
  errorAt: (path: string) => string | undefined
}

/** The fields of a vehicle, each with the column that fills it. */
function FieldList({ record, sample, columns, problems, own, result, errorAt }: FieldListProps) {
  const { mapping } = record.form.values
  const changeFields = (fields: FeedMapping['fields']) => record.change({ mapping: { ...mapping, fields } })
  return (
    <section className="fc-mapping-fields" aria-label="Vehicle fields">
      <h2>Vehicle fields</h2>
      <ul>
        {targetsWith(own).map((target) => (
          <FieldRow
            key={target}
            target={target}
            title={targetTitle(target, own)}
            kind={kindOf(target, own)}
            field={mapping.fields[target]}
            columns={columns}
            match={sample?.matches.find((one) => one.target === target)}
            isRefused={errorAt(`fields.${target}.`) !== undefined}
            problem={errorAt(`fields.${target}.`) ?? problems[target]}
            value={resultOf(target, result)}
            share={sample?.filled.find((one) => one.target === target)?.share}
            isReadOnly={record.isReadOnly}
            onChange={(field) => {
              const { [target]: _before, ...others } = mapping.fields
              changeFields(field === undefined ? others : { ...others, [target]: field })
            }}
          />
        ))}
      </ul>
    </section>
  )
}
