/** The message of `delivery_crashed`. */
export default {
  texts: {
    'the process ended each time it handled this message': 'the process crashed every time it handled this message',
  },
};
