import { BUILT_IN_VALUES } from '#contract/feeds/values/built-in-values.ts'
import { fieldTitle, MAPPED_FIELDS } from '#contract/feeds/values/mapped-fields.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import './values.css'

const FIELDS = MAPPED_FIELDS.filter((field) => BUILT_IN_VALUES[field].length > 0)

/** The built-in mappings and how to override them. */
export function BuiltInDrawer({ onClose }: { onClose: () => void }) {
  return (
    <FormDrawer title="Built-in mappings" about="Applied to every feed" size={640} onClose={onClose}>
      <div className="fc-values-body">
        <p className="fc-small fc-soft">
          <bdi>
            These spellings and similar ones map to the values shown. To change one, add a data mapping for
            that spelling: your mappings take precedence. Makes match their own names. Models have no built-in
            mappings.
          </bdi>
        </p>
        {FIELDS.map((field) => (
          <section key={field} aria-labelledby={`built-in-${field}`}>
            <h3 id={`built-in-${field}`}>{fieldTitle(field)}</h3>
            <dl className="fc-values-words">
              {BUILT_IN_VALUES[field].map(({ value, spellings }) => (
                <div key={value}>
                  <dt>
                    <bdi>{value}</bdi>
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
