import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { SignInField } from './SignInField.tsx'

type Props = Omit<ComponentProps<typeof SignInField>, 'type' | 'hint' | 'children'>

/** A password field with a show button and a Caps Lock warning. */
export function PasswordField({ label, ...field }: Props) {
  const [isShown, setIsShown] = useState(false)
  const [isCapsLock, setIsCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setIsCapsLock(event.getModifierState('CapsLock'))
  const Icon = isShown ? IconEyeOff : IconEye
  return (
    <SignInField
      {...field}
      label={label}
      type={isShown ? 'text' : 'password'}
      onKeyUp={watchCapsLock}
      onBlur={() => setIsCapsLock(false)}
      hint={isCapsLock ? 'Caps Lock is on.' : undefined}
    >
      <button
        type="button"
        className="fc-field-button"
        aria-label={`Show ${label.toLowerCase()}`}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon size={18} stroke={1.6} aria-hidden="true" />
      </button>
    </SignInField>
  )
}
