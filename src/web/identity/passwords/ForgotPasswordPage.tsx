import { Link } from '@tanstack/react-router'
import { AuthLayout } from '../sign-in/AuthLayout.tsx'
import { ForgotPasswordForm } from './ForgotPasswordForm.tsx'

// In one file: each file more is in the list that sign-in loads.
export { ResetPasswordPage } from './ResetPasswordPage.tsx'

/** Specification section 2, /auth/forgot-password. */
export function ForgotPasswordPage() {
  return (
    <AuthLayout title="Forgot Password" about="We'll email you a link to set a new password.">
      <ForgotPasswordForm />
      <p className="fc-sign-in-way">
        <Link to="/auth/signin">Back to sign in</Link>
      </p>
    </AuthLayout>
  )
}
