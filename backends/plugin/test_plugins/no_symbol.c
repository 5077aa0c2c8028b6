/* A library that lacks certile_plugin_open. */
int certile_plugin_opens(void);
int certile_plugin_opens(void) {
  return 0;
}
