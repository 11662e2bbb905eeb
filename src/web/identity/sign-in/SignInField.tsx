import { type ComponentProps, type ReactNode, useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'onChange' | 'id'> & {
  label: string
  onChange: (text: string) => void
  error?: string | undefined
  /** A temporary state, such as Caps Lock. */
  hint?: string | undefined
  /** Help text, shown while there is no error. */
  help?: string | undefined
  /** Always shown below the field. */
  below?: ReactNode
  children?: ReactNode
}

/**
 * A labeled field for the pages before sign-in. A plain input with Mantine's dimensions, because Mantine's
 * own controls would push these pages 18 kB over their budget of 130 kB.
 */
export function SignInField({ label, onChange, error, hint, help, below, children, ...input }: Props) {
  const id = useId()
  return (
    <div className="fc-field">
      <label htmlFor={id}>{label}</label>
      <div className="fc-field-box">
        <input
          required
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-about${below === undefined ? '' : ` ${id}-more`}`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {children}
      </div>
      {below !== undefined && (
        <div id={`${id}-more`} className="fc-field-more">
          {below}
        </div>
      )}
      <div id={`${id}-about`} aria-live="polite">
        {error !== undefined && <p className="fc-field-error">{error}</p>}
        {help !== undefined && <p className="fc-field-help">{help}</p>}
        {hint !== undefined && <p className="fc-field-hint">{hint}</p>}
      </div>
    </div>
  )
}
