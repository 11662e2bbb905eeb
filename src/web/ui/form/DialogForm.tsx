import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Texts = Readonly<Record<string, string>>

type Props<Values extends Texts> = {
  /** What will happen, in a sentence. */
  text: string
  /** What the button does. */
  confirm: string
  cancel?: string
  blank: Values
  /** The message at each value that can't be sent; none if all can. */
  check?: (values: Values) => Partial<Record<keyof Values, string>>
  /** Null if the dialog is closed. */
  onAnswer: (values: Values | null) => void
  /** The inputs: `field` has the props of one. */
  children: (field: (name: keyof Values & string) => InputProps) => ReactNode
}

type InputProps = {
  value: string
  onChange: (event: { currentTarget: { value: string } }) => void
  error: string | null
}

/** The form of a dialog with one or two inputs, for `askFor`. Messages are shown from the first attempt on. */
export function DialogForm<Values extends Texts>(props: Props<Values>) {
  const { text, confirm, cancel = 'Cancel', blank, check, onAnswer, children } = props
  const [values, setValues] = useState(blank)
  const [isTried, setTried] = useState(false)
  const wrong: Partial<Record<keyof Values, string>> = check?.(values) ?? {}
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(wrong).length === 0) onAnswer(values)
      }}
    >
      <p>
        <bdi>{text}</bdi>
      </p>
      {children((name) => ({
        value: values[name] ?? '',
        onChange: ({ currentTarget: { value } }) => setValues({ ...values, [name]: value }),
        error: (isTried ? wrong[name] : null) ?? null,
      }))}
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          {cancel}
        </Button>
        <Button type="submit">{confirm}</Button>
      </div>
    </form>
  )
}
