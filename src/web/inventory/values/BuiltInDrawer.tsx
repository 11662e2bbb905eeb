import { BUILT_IN_WORDS } from '#contract/inventory/values/built-in-words.ts'
import { fieldTitle, MAPPED_FIELDS } from '#contract/inventory/values/mapped-fields.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import './values.css'

const FIELDS = MAPPED_FIELDS.filter((field) => BUILT_IN_WORDS[field].length > 0)

/** What the product knows itself, and how to overrule it. */
export function BuiltInDrawer({ onClose }: { onClose: () => void }) {
  return (
    <FormDrawer title="Built-in words" about="What the product knows itself" size={640} onClose={onClose}>
      <div className="fc-values-body">
        <p className="fc-small fc-soft">
          <bdi>
            These spellings, and many like them, read as the word beside them. A mapping of yours goes before:
            add one for the spelling that is to become another word. Makes are known as they write themselves,
            models stay as they are written.
          </bdi>
        </p>
        {FIELDS.map((field) => (
          <section key={field} aria-labelledby={`built-in-${field}`}>
            <h3 id={`built-in-${field}`}>{fieldTitle(field)}</h3>
            <dl className="fc-values-words">
              {BUILT_IN_WORDS[field].map(({ word, spellings }) => (
                <div key={word}>
                  <dt>
                    <bdi>{word}</bdi>
                  </dt>
                  <dd>
                    <bdi>{spellings.join(', ')}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </FormDrawer>
  )
}
