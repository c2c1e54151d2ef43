import { InvalidArgumentError } from 'commander'

/** Parses an option that is a whole number within bounds. */
export const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^[0-9]+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`give a whole number from ${min} to ${max}`)
  }
