import { TextInput } from '@mantine/core'
import { shadesOf } from '#contract/appearance/shades.ts'
import type { DomainWhiteLabel } from '#contract/identity/branding/white-labels.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { knownColor } from './known-colour.ts'
import type { WhiteLabelValues } from './white-label-form.ts'

const SCHEME_NAMES = { light: 'Light', dark: 'Dark' }

/** A colour as digits or from a palette, and what becomes of it where it could not be read. */
export function ColorField({ record }: { record: RecordFormState<WhiteLabelValues, DomainWhiteLabel> }) {
  const brand = record.form.values.brand
  const known = knownColor(brand)
  return (
    <div className="fc-wide fc-brand-colour">
      <TextInput
        {...record.field('brand')}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        leftSection={
          <input
            type="color"
            aria-label="Choose the colour"
            className="fc-brand-palette"
            value={known}
            disabled={record.isReadOnly}
            onChange={(event) => record.change({ brand: event.currentTarget.value })}
          />
        }
      />
      <ul className="fc-brand-shades" aria-label="What the colour becomes">
        {shadesOf(known).map(({ scheme, fill, onFill, ratio, isAsChosen }) => (
          <li key={scheme}>
            <span className="fc-brand-shade" style={{ background: fill, color: onFill }} aria-hidden="true">
              Aa
            </span>
            <span className="fc-small">
              {SCHEME_NAMES[scheme]}: <span dir="ltr">{fill}</span>,{' '}
              <bdi>
                {isAsChosen ? 'as it is' : 'shaded'}, text on it {ratio.toFixed(1)} to 1
              </bdi>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
