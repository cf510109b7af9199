import { Matches } from 'class-validator';

/**
 * Validates a URL that is stored in requests, plans and messages. It must not contain a user or a password
 * (`https://me:secret@host`), which would be stored as well. Keys have their own settings.
 */
export const WithoutPassword = (): PropertyDecorator =>
  Matches(/^(?!\w+:\/\/[^/?#]*@)/, {
    message: 'must not contain a user or a password; use the settings for keys and tokens',
  });
