import { Select } from '@mantine/core'
import type { FeedTarget, FieldMapping } from '#contract/feeds/mappings/mapping.ts'
import type { SampleResult, TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import type { VehicleFieldKind } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { FieldOptions } from './FieldOptions.tsx'
import { changeKind, showValue, SOURCE_NAMES, type SourceKind } from './mapping-form.ts'
import { SourceEditor } from './SourceEditor.tsx'

type Props = {
  target: FeedTarget
  title: string
  kind: VehicleFieldKind
  field: FieldMapping | undefined
  columns: readonly string[]
  /** The proposed mapping. */
  match: TriedMapping['matches'][number] | undefined
  problem: string | undefined
  /** Whether a save failed because of this field, which then gets the focus. */
  isRefused: boolean
  /** Its value in the first sample row. */
  value: SampleResult['values'][string] | null | undefined
  /** The share of sample vehicles that had a value in the last check. */
  share: number | undefined
  isReadOnly: boolean
  onChange: (field: FieldMapping | undefined) => void
}

const KINDS: readonly SourceKind[] = ['column', 'firstOf', 'allOf', 'part', 'constant', 'rule']
const NONE = { value: 'none', label: 'Not mapped' }
const CHOICES = [NONE, ...KINDS.map((kind) => ({ value: kind, label: SOURCE_NAMES[kind] }))]

/** One vehicle field: its source, the confidence of the match, and its value in the first row. */
export function FieldRow({
  target,
  title,
  kind: fieldKind,
  field,
  columns,
  match,
  problem,
  isRefused,
  value,
  share,
  isReadOnly,
  onChange,
}: Props) {
  const isAsProposed = match !== undefined && JSON.stringify(match.mapping) === JSON.stringify(field)
  const shown = showValue(target, value)
  const filled = field === undefined || share === undefined ? '' : `${Math.round(share * 100)}% filled`
  function choose(kind: string | null) {
    const chosen = KINDS.find((one) => one === kind)
    if (chosen === undefined) return onChange(undefined)
    onChange({ ...field, source: changeKind(chosen, field?.source, columns[0] ?? '') })
  }
  return (
    <li
      className="fc-mapping-field"
      data-filled={field !== undefined || undefined}
      data-wrong={isRefused || undefined}
      tabIndex={isRefused ? -1 : undefined}
    >
      <div className="fc-mapping-field-name">
        <span className="fc-name-plain">{title}</span>
        {isAsProposed && (
          <span className="fc-second" title={match.reason}>
            <bdi>
              {Math.round(match.confidence * 100)}% match: {match.reason}
            </bdi>
          </span>
        )}
      </div>
      <div className="fc-mapping-field-source">
        <Select
          aria-label={`Source of ${title}`}
          allowDeselect={false}
          readOnly={isReadOnly}
          value={field?.source.kind ?? NONE.value}
          onChange={choose}
          data={CHOICES}
        />
        {field !== undefined && (
          <SourceEditor
            title={title}
            source={field.source}
            columns={columns}
            isReadOnly={isReadOnly}
            onChange={(source) => onChange({ ...field, source })}
          />
        )}
      </div>
      {field !== undefined && (
        <FieldOptions
          target={target}
          kind={fieldKind}
          title={title}
          field={field}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      )}
      {problem !== undefined && (
        <Status tone="bad" mark="cross">
          <bdi>{problem}</bdi>
        </Status>
      )}
      {(shown !== '' || filled !== '') && problem === undefined && (
        <p className="fc-small fc-mapping-made">
          <span className="fc-cut" title={shown}>
            <bdi>{shown}</bdi>
          </span>
          <span className="fc-faint">{filled}</span>
        </p>
      )}
    </li>
  )
}
