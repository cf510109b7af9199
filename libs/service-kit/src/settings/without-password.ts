import { Matches } from 'class-validator';

/**
 * Of a URL that goes into requests, plans and messages: it may not hold a user or a password (`https://me:secret@host`), which would be
 * stored with them. Keys have settings of their own.
 */
export const WithoutPassword = (): PropertyDecorator =>
  Matches(/^(?!\w+:\/\/[^/?#]*@)/, {
    message: 'a URL with a user or a password in it; keys and tokens have settings of their own',
  });
