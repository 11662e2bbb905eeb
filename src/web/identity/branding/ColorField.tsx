import { TextInput } from '@mantine/core'
import { shadesOf } from '#contract/appearance/shades.ts'
import type { DomainWhiteLabel } from '#contract/identity/branding/white-labels.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { knownColor } from './known-color.ts'
import type { WhiteLabelValues } from './white-label-form.ts'

const SCHEME_NAMES = { light: 'Light', dark: 'Dark' }

/** A hex color field with a color picker, and the shades used where the color alone isn't readable. */
export function ColorField({ record }: { record: RecordFormState<WhiteLabelValues, DomainWhiteLabel> }) {
  const brand = record.form.values.brand
  const known = knownColor(brand)
  return (
    <div className="fc-wide fc-brand-color">
      <TextInput
        {...record.field('brand')}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        leftSection={
          <input
            type="color"
            aria-label="Choose the color"
            className="fc-brand-palette"
            value={known}
            disabled={record.isReadOnly}
            onChange={(event) => record.change({ brand: event.currentTarget.value })}
          />
        }
      />
      <ul className="fc-brand-shades" aria-label="Color as used">
        {shadesOf(known).map(({ scheme, fill, onFill, ratio, isAsChosen }) => (
          <li key={scheme}>
            <span className="fc-brand-shade" style={{ background: fill, color: onFill }} aria-hidden="true">
              Aa
            </span>
            <span className="fc-small">
              {SCHEME_NAMES[scheme]}: <span dir="ltr">{fill}</span>,{' '}
              <bdi>
                {isAsChosen ? 'unchanged' : 'adjusted'}, text contrast {ratio.toFixed(1)}:1
              </bdi>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
