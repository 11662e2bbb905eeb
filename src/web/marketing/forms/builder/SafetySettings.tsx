import { Button, Checkbox, CopyButton } from '@mantine/core'
import type { Form } from '#contract/marketing/forms/forms.ts'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { usePublicOrigin } from '../use-public-origin.ts'
import { embedCodes } from './embed-codes.ts'
import type { FormValues } from './form-values.ts'

type Props = { record: RecordFormState<FormValues, Form> }

/** Which other sites show the form, and what it asks of browsers. */
export function SafetySettings({ record }: Props) {
  const { field, form, isReadOnly } = record
  const { embedOrigins, key, name } = form.values
  const origin = usePublicOrigin()
  return (
    <>
      <FormSection
        title="Other sites"
        text="Sites that may show this form in a frame, such as the group's main site. No other site can."
      >
        <TagsField
          {...field('embedOrigins')}
          className="fc-wide"
          placeholder={embedOrigins.length === 0 ? 'https://www.dealer.example' : ''}
          description="Press Enter after each address."
          splitChars={[',', ' ']}
        />
        {embedOrigins.length > 0 &&
          origin !== null &&
          embedCodes({ origin, key, name }).map(({ label, code }) => (
            <div key={label} className="fc-embed-code fc-wide">
              <p>{label}</p>
              <code dir="ltr">{code}</code>
              <CopyButton value={code}>
                {({ copied, copy }) => (
                  <Button variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy'}
                  </Button>
                )}
              </CopyButton>
            </div>
          ))}
      </FormSection>
      <FormSection
        title="Spam"
        text="Browsers with JavaScript do a short calculation while someone fills in the form. Programs that send spam don't. What comes without it, or looks like spam in another way, waits in quarantine, where you release it. It is never refused unseen. Without JavaScript, five forms an hour are accepted from one network; more wait in quarantine."
      >
        <Checkbox
          {...form.getInputProps('requiresProof', { type: 'checkbox' })}
          size="sm"
          className="fc-wide"
          label="Hold everything from browsers without JavaScript"
          description="For a form under attack: all that comes without the calculation then waits in quarantine."
          disabled={isReadOnly}
        />
      </FormSection>
    </>
  )
}
